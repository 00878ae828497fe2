# By id. The imported key has no text, because only its creation returns it.
terraform import pager_api_key.reports 6a5f0c1e2d3c4b5a69788791
