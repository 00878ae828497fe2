data "pager_playbooks" "all" {}

output "automatic" {
  value = [
    for playbook in data.pager_playbooks.all.playbooks : playbook.name
    if length(coalesce(playbook.run_automatically, [])) > 0
  ]
}
