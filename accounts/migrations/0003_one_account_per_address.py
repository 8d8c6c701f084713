from django.db import migrations, models
from django.db.models.functions import Lower


def separate_accounts(apps, schema_editor):
    """Leave each address that several accounts have to one: who confirmed it, else the oldest account."""
    User = apps.get_model("accounts", "User")
    EmailAddress = apps.get_model("account", "EmailAddress")
    users = User.objects.exclude(email="").annotate(address=Lower("email"))
    shared = users.values("address").annotate(count=models.Count("pk")).filter(count__gt=1).order_by()
    for address in list(shared.values_list("address", flat=True)):
        claims = EmailAddress.objects.filter(email__iexact=address)
        owners = users.filter(address=address).order_by("pk")
        owner = owners.filter(pk__in=claims.filter(verified=True).values("user")).first() or owners.first()
        claims.exclude(user=owner).filter(verified=False).delete()
        User.objects.filter(pk__in=list(owners.values_list("pk", flat=True))).exclude(pk=owner.pk).update(email="")


def lower_addresses(apps, schema_editor):
    """Write all addresses in lower case; where a user has one twice, the two rows become one."""
    apps.get_model("accounts", "User").objects.exclude(email=Lower("email")).update(email=Lower("email"))
    EmailAddress = apps.get_model("account", "EmailAddress")
    for address in EmailAddress.objects.exclude(email=Lower("email")).order_by("pk"):
        address.email = address.email.lower()
        others = EmailAddress.objects.filter(email=address.email).exclude(pk=address.pk)
        if twin := others.filter(user=address.user_id).first():
            address.verified |= twin.verified
            address.primary |= twin.primary
            twin.delete()
        # Only one account can have it confirmed.
        address.verified &= not others.filter(verified=True).exists()
        address.save()


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_preferences"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    operations = [
        migrations.RunPython(separate_accounts, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(lower_addresses, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                Lower("email"),
                name="user_email_unique_in_any_case",
                condition=models.Q(("email", ""), _negated=True),
                violation_error_message="An account with this email address already exists. If it is yours, please log in.",
            ),
        ),
    ]
