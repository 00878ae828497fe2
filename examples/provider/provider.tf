terraform {
  required_providers {
    pager = {
      source = "pager/pager"
    }
  }
}

# The API key is best left to the environment: export PAGER_API_KEY=pgr_...
provider "pager" {
  base_url = "http://localhost:8080/api/v1"
}
