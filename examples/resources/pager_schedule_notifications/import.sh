# By the id, or the counter, of its schedule.
terraform import pager_schedule_notifications.support 6a5f0c1e2d3c4b5a69788734
terraform import pager_schedule_notifications.support 3
