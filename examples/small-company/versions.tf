terraform {
  required_version = ">= 1.3"
  required_providers {
    pager = {
      source = "pager/pager"
    }
  }
}

# PAGER_API_KEY, and PAGER_BASE_URL when it is not http://localhost:8080/api/v1, come from the
# environment.
provider "pager" {}
