# There is one organization for each API key.
terraform import pager_organization.this organization
