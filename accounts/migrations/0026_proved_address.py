from django.db import migrations, models
from django.db.models import F


def keep(apps, _schema_editor):
    """Addresses to which emails came back counted as proved before."""
    users = apps.get_model("accounts", "User").objects.exclude(refused_address="")
    users.update(proved_address=F("refused_address"))


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0025_address_that_undid'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='proved_address',
            field=models.EmailField(blank=True, db_default='', default='', help_text='It was confirmed before.', max_length=254, verbose_name='proved address'),
        ),
        migrations.RunPython(keep, migrations.RunPython.noop, elidable=True),
    ]
