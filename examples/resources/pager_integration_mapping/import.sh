# By the id, or the counter, of its integration.
terraform import pager_integration_mapping.pumps 6a5f0c1e2d3c4b5a69788712
terraform import pager_integration_mapping.pumps 12
