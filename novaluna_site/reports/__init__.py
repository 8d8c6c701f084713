"""Reports for servers of the host's choice: errors for Sentry, and traces for OpenTelemetry.

Both are off by default. Their packages send much that names people: addresses of requests, forms, arguments
of tasks, values in the texts of errors. A list of what to remove is never complete, so the lists here say
what is sent, and nothing else is.
"""
