"""Middleware that counts requests and their time for Prometheus."""

from time import perf_counter

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from games import metrics
from novaluna_site.around import around

OTHER = "other"  # files, probes, and addresses that no view has


def _count(request: HttpRequest, response: HttpResponseBase, start: float) -> None:
    match = request.resolver_match
    view = match.view_name if match else OTHER
    metrics.REQUESTS.labels(view, response.status_code).inc()
    metrics.REQUEST_SECONDS.labels(view).observe(perf_counter() - start)


count_requests = around(perf_counter, _count)
