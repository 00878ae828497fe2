# By the id of the person.
terraform import pager_notification_settings.owner 6a5f0c1e2d3c4b5a69788776
