# By id: the last part of the record's address in the dashboard.
terraform import pager_playbook.disk_full 6a5f0c1e2d3c4b5a69788776

# By counter, the short number of the record.
terraform import pager_playbook.disk_full 42

# With the id of its team, for a record of another team than the provider's.
terraform import pager_playbook.disk_full 6a5f0c1e2d3c4b5a69788700/6a5f0c1e2d3c4b5a69788776
terraform import pager_playbook.disk_full 6a5f0c1e2d3c4b5a69788700/42
