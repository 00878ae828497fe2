# The provider takes PAGER_API_KEY from the environment, and PAGER_BASE_URL when the API is not at
# http://localhost:8080/api/v1.
terraform {
  required_version = ">= 1.3"
  required_providers {
    pager = {
      source = "pager/pager"
    }
  }
}
