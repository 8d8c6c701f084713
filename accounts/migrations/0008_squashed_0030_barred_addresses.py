import accounts.models
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('accounts', '0008_choices_of_notifications'),
        ('accounts', '0009_automatic_vacation'),
        ('accounts', '0010_html_of_account_mail'),
        ('accounts', '0011_play_by_reply'),
        ('accounts', '0012_feeds'),
        ('accounts', '0013_refused_address'),
        ('accounts', '0014_removal_of_accounts'),
        ('accounts', '0015_past_mails'),
        ('accounts', '0016_words_of_past_mails'),
        ('accounts', '0017_returned_mails'),
        ('accounts', '0018_sound'),
        ('accounts', '0019_words_of_settings'),
        ('accounts', '0020_plays_forced'),
        ('accounts', '0021_marks'),
        ('accounts', '0022_security_events'),
        ('accounts', '0023_retired_names'),
        ('accounts', '0024_when_people_signed_up'),
        ('accounts', '0025_address_that_undid'),
        ('accounts', '0026_proved_address'),
        ('accounts', '0027_deletion_after_a_week'),
        ('accounts', '0028_codes_of_guests'),
        ('accounts', '0029_moderators'),
        ('accounts', '0030_barred_addresses'),
    ]

    dependencies = [
        ('accounts', '0007_daily_email'),
        ('auth', '0012_alter_user_first_name_max_length'),
        ('games', '0009_notification_channels'),
    ]

    operations = [
        # Older code inserts no value for this column, which it still has. Today's does not know it.
        migrations.AlterField(
            model_name='user',
            name='turn_mails',
            field=models.BooleanField(db_default=True, default=True, help_text='Sent once a turn, to your confirmed address, and not while you have the game open.', verbose_name='mail me when it is my turn'),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(
                    model_name='user',
                    name='turn_mails',
                ),
            ],
        ),
        migrations.AddField(
            model_name='user',
            name='automatic_vacation',
            field=models.BooleanField(db_default=False, default=False, help_text='Instead of losing on time in a game with a clock.', verbose_name='vacation starts by itself'),
        ),
        migrations.AddField(
            model_name='accountmail',
            name='html',
            field=models.TextField(blank=True, db_default='', default='', verbose_name='HTML'),
        ),
        migrations.AddField(
            model_name='accountmail',
            name='stop_url',
            field=models.TextField(blank=True, db_default='', default='', verbose_name='link that stops such emails'),
        ),
        migrations.AddField(
            model_name='accountmail',
            name='in_reply_to',
            field=models.TextField(blank=True, db_default='', default='', verbose_name='id of the email that it answers'),
        ),
        migrations.AddField(
            model_name='accountmail',
            name='reply_to',
            field=models.EmailField(blank=True, db_default='', default='', max_length=254, verbose_name='address for replies'),
        ),
        migrations.AddField(
            model_name='user',
            name='plays_by_reply',
            field=models.BooleanField(db_default=True, default=True, help_text='Moves that the person writes in reply to turn emails count.', verbose_name='plays by reply'),
        ),
        migrations.AddField(
            model_name='user',
            name='feed_number',
            field=models.PositiveIntegerField(db_default=0, default=0, help_text="Random for each address of the person's feeds; only the newest works. 0 without feeds.", verbose_name='number of the feeds'),
        ),
        migrations.AddField(
            model_name='user',
            name='refused_address',
            field=models.EmailField(blank=True, db_default='', default='', help_text='It refused emails for a day, or emails to it came back.', max_length=254, verbose_name='refused address'),
        ),
        migrations.AddField(
            model_name='user',
            name='removal_due_at',
            field=models.DateTimeField(editable=False, help_text='When the site removes the account. Until then, its owner can keep it if it is active.', null=True, verbose_name='removal'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(condition=models.Q(('removal_due_at__isnull', False)), fields=['removal_due_at'], name='user_removal_due'),
        ),
        migrations.CreateModel(
            name='ReturnedMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.EmailField(db_index=True, max_length=254, verbose_name='email address')),
                ('error', models.TextField(blank=True, verbose_name='error')),
                ('received_at', models.DateTimeField(db_index=True, verbose_name='received')),
                ('has_stopped_emails', models.BooleanField(default=False, help_text='about games, until the address is confirmed again', verbose_name='has stopped emails')),
            ],
            options={
                'verbose_name': 'returned mail',
                'verbose_name_plural': 'returned mails',
            },
        ),
        migrations.AddField(
            model_name='user',
            name='sound',
            field=models.BooleanField(db_default=False, default=False, help_text='In live games, while their page is open.', verbose_name='sound at my turn'),
        ),
        migrations.AlterField(
            model_name='user',
            name='confirm_moves',
            field=models.BooleanField(default=True, help_text='Without it, a move counts as soon as it is complete.', verbose_name='ask me to confirm each move'),
        ),
        migrations.AlterField(
            model_name='user',
            name='shortcuts',
            field=models.BooleanField(default=True, help_text='On the board, such as C to confirm.', verbose_name='single keys as shortcuts'),
        ),
        migrations.AddField(
            model_name='user',
            name='plays_forced',
            field=models.BooleanField(db_default=True, default=True, help_text='If only one is possible, in titles whose rules allow it.', verbose_name='play my only move'),
        ),
        migrations.AddField(
            model_name='user',
            name='mark',
            field=models.CharField(db_default='', default=accounts.models.new_mark, editable=False, max_length=16, verbose_name='mark'),
        ),
        migrations.CreateModel(
            name='RetiredName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mark', models.CharField(max_length=64, unique=True, verbose_name='mark')),
                ('retired_at', models.DateTimeField(db_index=True, verbose_name='removed')),
            ],
            options={
                'verbose_name': 'retired name',
                'verbose_name_plural': 'retired names',
            },
        ),
        migrations.AlterModelManagers(
            name='user',
            managers=[
            ],
        ),
        migrations.AddField(
            model_name='user',
            name='proved_address',
            field=models.EmailField(blank=True, db_default='', default='', help_text='It was confirmed before.', max_length=254, verbose_name='proved address'),
        ),
        migrations.CreateModel(
            name='PastMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.EmailField(max_length=254, verbose_name='email address')),
                ('subject', models.TextField(verbose_name='subject')),
                ('created_at', models.DateTimeField(verbose_name='created')),
                ('ended_at', models.DateTimeField(db_index=True, verbose_name='sent or given up')),
                ('attempts', models.PositiveSmallIntegerField(verbose_name='attempts')),
                ('is_sent', models.BooleanField(verbose_name='sent')),
                ('error', models.TextField(blank=True, verbose_name='last error')),
            ],
            options={
                'verbose_name': 'past account mail',
                'verbose_name_plural': 'past account mails',
            },
        ),
        migrations.CreateModel(
            name='SecurityEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('signed_up', 'You signed up'), ('logged_in', 'You logged in'), ('password_changed', 'The password was changed'), ('password_reset', 'A new password was set by a link in an email'), ('address_added', 'An email address was added'), ('address_confirmed', 'An email address was confirmed'), ('main_address_changed', 'The main email address was changed'), ('address_removed', 'An email address was removed'), ('passkey_added', 'A passkey was added'), ('passkey_removed', 'A passkey was removed'), ('app_added', 'An authenticator app was added'), ('app_removed', 'An authenticator app was removed'), ('codes_renewed', 'New recovery codes were made'), ('taken_back', 'The account was taken back by a link in an email'), ('deletion_asked', 'The deletion of the account was asked for'), ('deletion_stopped', 'The account was kept, and is not deleted')], max_length=30, verbose_name='kind')),
                ('detail', models.TextField(blank=True, help_text='Such as the address or the passkey.', verbose_name='detail')),
                ('user_agent', models.TextField(blank=True, verbose_name='browser')),
                ('network', models.GenericIPAddressField(help_text='Without the last part.', verbose_name='network')),
                ('at', models.DateTimeField(db_index=True, verbose_name='time')),
                ('undone_at', models.DateTimeField(null=True, verbose_name='undone')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='security_events', to=settings.AUTH_USER_MODEL, verbose_name='user')),
                ('undone_by', models.EmailField(blank=True, db_default='', default='', help_text='The address with the link.', max_length=254, verbose_name='undone by')),
            ],
            options={
                'verbose_name': 'security event',
                'verbose_name_plural': 'security events',
            },
        ),
        migrations.CreateModel(
            name='GuestCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mark', models.CharField(max_length=64, unique=True, verbose_name='mark')),
                ('made_at', models.DateTimeField(db_index=True, verbose_name='made')),
                ('guest', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='guest')),
            ],
            options={
                'verbose_name': 'code of a guest',
                'verbose_name_plural': 'codes of guests',
            },
        ),
        migrations.AddField(
            model_name='user',
            name='chooses_name',
            field=models.BooleanField(db_default=False, default=False, editable=False, help_text='Once, because moderators have refused the former one. Guests can always.', verbose_name='chooses another name'),
        ),
        migrations.AddField(
            model_name='user',
            name='has_unread_decision',
            field=models.BooleanField(db_default=False, default=False, editable=False, help_text='Of moderators, about the person or about a report of theirs.', verbose_name='unread decision'),
        ),
        migrations.AddField(
            model_name='user',
            name='is_moderator',
            field=models.BooleanField(db_default=False, default=False, help_text='Decides about reports, with a second factor, and without the admin.', verbose_name='moderator'),
        ),
        migrations.AddField(
            model_name='user',
            name='muted_until',
            field=models.DateTimeField(editable=False, null=True, verbose_name='muted until'),
        ),
        migrations.AddField(
            model_name='user',
            name='private_until',
            field=models.DateTimeField(editable=False, null=True, verbose_name='no public tables until'),
        ),
        migrations.AddField(
            model_name='user',
            name='suspended_until',
            field=models.DateTimeField(editable=False, null=True, verbose_name='suspended until'),
        ),
        migrations.CreateModel(
            name='BarredAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mark', models.CharField(max_length=64, unique=True, verbose_name='mark')),
                ('ends_at', models.DateTimeField(db_index=True, verbose_name='end')),
            ],
            options={
                'verbose_name': 'barred address',
                'verbose_name_plural': 'barred addresses',
            },
        ),
    ]
