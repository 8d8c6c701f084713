import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('accounts', '0002_preferences'),
        ('accounts', '0003_one_account_per_address'),
        ('accounts', '0004_account_mail'),
        ('accounts', '0005_guests'),
        ('accounts', '0006_first_game_tips'),
        ('accounts', '0007_daily_email'),
    ]

    dependencies = [
        ('account', '0009_emailaddress_unique_primary_email'),
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='shortcuts',
            field=models.BooleanField(default=True, help_text='On the board, such as 1 to 3 for the tiles in reach.', verbose_name='single keys as shortcuts'),
        ),
        migrations.AddField(
            model_name='user',
            name='confirm_moves',
            field=models.BooleanField(default=True, help_text='Without it, a move counts as soon as the cell is chosen.', verbose_name='ask me to confirm each move'),
        ),
        migrations.AddField(
            model_name='user',
            name='language',
            field=models.CharField(blank=True, help_text='Of the pages and mails; empty for what the browser asks for.', max_length=16, verbose_name='language'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), condition=models.Q(('email', ''), _negated=True), name='user_email_unique_in_any_case', violation_error_message='An account with this email address already exists. If it is yours, please log in.'),
        ),
        migrations.CreateModel(
            name='AccountMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.EmailField(max_length=254, verbose_name='email address')),
                ('subject', models.TextField(verbose_name='subject')),
                ('text', models.TextField(verbose_name='text')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('due_at', models.DateTimeField(db_index=True, verbose_name='due')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
            ],
            options={
                'verbose_name': 'account mail',
                'verbose_name_plural': 'account mails',
            },
        ),
        migrations.AddField(
            model_name='user',
            name='guest_request',
            field=models.UUIDField(editable=False, null=True, unique=True, verbose_name='request of the guest'),
        ),
        migrations.AddField(
            model_name='user',
            name='is_guest',
            field=models.BooleanField(db_default=False, default=False, help_text='Plays without an email address and a password, until they sign up.', verbose_name='guest'),
        ),
        migrations.AddField(
            model_name='user',
            name='tips',
            field=models.BooleanField(db_default=True, default=True, help_text='Until the person hides them.', verbose_name='tips in the first game'),
        ),
        migrations.AddField(
            model_name='user',
            name='digest_hour',
            field=models.PositiveSmallIntegerField(db_default=18, default=18, help_text="In the person's time zone.", verbose_name='hour of the daily email'),
        ),
        migrations.AddField(
            model_name='user',
            name='time_zone',
            field=models.CharField(blank=True, db_default='', help_text="Such as Europe/Berlin; empty for the site's.", max_length=40, verbose_name='time zone'),
        ),
    ]
