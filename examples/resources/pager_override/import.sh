# With the id, or the counter, of its schedule.
terraform import pager_override.new_year 6a5f0c1e2d3c4b5a69788700/6a5f0c1e2d3c4b5a69788776
terraform import pager_override.new_year 42/6a5f0c1e2d3c4b5a69788776
