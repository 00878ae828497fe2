# With the id, or the counter, of its integration.
terraform import pager_integration_key.pagerduty 6a5f0c1e2d3c4b5a69788712/6a5f0c1e2d3c4b5a69788790
terraform import pager_integration_key.pagerduty 12/6a5f0c1e2d3c4b5a69788790
