# A schedule that is made in the dashboard, such as one with gaps in its rotation.
data "pager_oncall_schedule" "support" {
  name = "Support"
}
