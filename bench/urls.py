"""The addresses of the site, and a bare view for comparison."""

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from games.models import Game


def bare(request: HttpRequest) -> HttpResponse:
    """Load the viewer, run the given numbers of queries, each on one row by its key, and send one line."""
    game = int(request.GET["game"])
    for _read in range(int(request.GET["reads"])):
        Game.objects.get(pk=game)
    if writes := int(request.GET["writes"]):
        with transaction.atomic():
            for _write in range(writes):
                Game.objects.filter(pk=game).update(is_public=True)
    return HttpResponse(f"bare for {request.user.pk}")


urlpatterns = [path("bare/", csrf_exempt(bare)), path("", include("novaluna_site.urls"))]
