// What a resource's declaration does not say, for its page in the registry.

export const notes: Readonly<Record<string, string>> = {
  service: `An integration that points to an archived service drops every event. Where the team may change, set \`create_before_destroy\`: the integrations then move to the new service before the old one is archived.`,

  escalation_policy: `Every step but the last waits at least one minute (\`escalate_after_minutes\`); a plan says so where one does not. A plan warns of steps that reach nobody.

Destroying a policy archives it. Integrations that still use it go on paging by its last steps, with a warning on each incident's timeline. Where there is a successor, name it in \`archive_replacement_policy_id\` and apply that first: when the policy is then destroyed, all integrations, rules and playbooks that use it move there in the same moment. A successor that is archived stops that only while something active uses the policy.

\`webhook_url_wo\` keeps the address of a chat out of plans and states. With each change of \`steps\` all its addresses are sent again.

The time that Terraform takes for a plan grows with the square of a policy's targets, because each may have a secret: in one step, 1 second at 100, 4 at 300, 37 at 1,000. From 300 on, a plan warns.`,

  integration: `\`webhook_url\`, \`email_address\` and \`token\` are secrets: whoever has one of them can open incidents. They are in the state. Read them with \`terraform output -raw\`.

To rotate the token, change \`token_version\`: the plan shows the token and both addresses as known after the apply, and all that is made of them follows. The monitoring tools that Terraform does not configure have 24 hours to change over, in which the previous token is accepted too; a second rotation in that time ends it. What takes the token from the ephemeral \`pager_integration_token\` by a write-only attribute takes \`token_version\` for its version. The first number only notes where the count begins, so that \`token_version\` can be added to an integration that is in use, or imported.

After a leak, rotate by the API with \`grace_minutes\` of 0: the next refresh has the new token.

Another \`team_id\` replaces the integration, and the new one has a new token and addresses: set them in the monitoring tools.`,

  integration_key: `\`key\` is write-only: it needs Terraform 1.11 or later, takes ephemeral values, and is neither in a plan nor in the state. No answer of the API has it either. So another key is noticed by \`last4\`: a plan that shows another one replaces the key. One that ends alike is not noticed; replace it by \`terraform apply -replace=ADDRESS\`. A change of anything else replaces the key too.

A key stands for one integration, of all organisations of the server: one that is taken is refused. Destroying a key removes it, and an archived integration keeps its keys until then.

If the answer to the creation of a key is lost, the next apply is refused, and says by which id to import it.`,

  integration_mapping: `What the notation can say stands in \`docs/mapping.md\` of the server; places, words and regular expressions are read by the API, which names what is wrong at its place when it is applied. Try a mapping on past events before (\`POST /integrations/:id/mapping/try\`).

Every field that may have alternatives is a list, also of one: \`title = ["summary"]\`.

An integration has one mapping, or none. A creation does not write over another one that it has already: import that first. Destroying the resource removes the mapping, and events are read as the type says from then on; a mapping that is removed otherwise, or whose integration is archived, is planned anew. \`pager_integration\` never touches it. All mappings that an integration has had are kept; \`revision\` counts them, and events name the one that they were read by. Mappings have no version: of changes that meet, the last one holds.

Another \`integration_id\` replaces the mapping.`,

  alert_routing_rule: `Rules run on a new incident before anybody is paged: by \`position\`, the lowest first, then those without one in the order in which they were created. All rules that match apply. Where the order matters, set positions: a rule that is replaced is a new one, and keeps its place by its position alone.

\`matches\` and \`doesNotMatch\` take regular expressions in RE2's syntax. In a \`template\`, \`{{title}}\`, \`{{priority}}\`, \`{{severity}}\` and \`{{details.key}}\` stand for what is known of the incident. A plan says so where either cannot be read.`,

  playbook: `A playbook changes nothing until something runs it: a routing rule or another playbook by an action of type \`playbook\`, a person, or an incident that becomes one of \`run_automatically\`. One that would come to run itself, however far around, is refused.

Destroying a playbook archives it. What still runs it is named in a warning, and goes on without it.`,

  override: `Destroying an override removes it; one that runs ends now, and its past stays.

What has ended stays as it was: nothing is planned for it, and destroying it only takes it out of the state. A change to it makes another override, which must end in the future. An override ends with its schedule.

Times may be written with any offset.`,

  outbound_webhook: `A webhook is called when a routing rule, a playbook, a person or a schedule's shift notifications trigger it. \`url\` is a secret, and in the state; in its place \`url_wo\` with \`url_wo_version\` is in no plan and no state, and what others change of the address is not seen. One of the two is required. Header values are stored in plain text.

A webhook that is called by \`PUT\` is managed in the dashboard or by the API, and looked up with the data source.`,

  oncall_schedule: `Turns change by the clocks of \`timezone\`. The first turn runs from the creation to the first handoff, and counts as whole.

Adding, removing or changing a layer gives it new shifts, which notifies whoever the layer now has on call. The plan warns which layers that concerns, and names the people who take turns in them. It tells who is on call now and who is after the change, when nobody would be, and whose shifts move to whom. Moving a layer to another place changes nothing of it.

A turn with nobody (a gap in the rotation) and a layer with a start or an end cannot be expressed in Terraform: manage such a schedule in the dashboard, and look it up with the data source; or set \`ignore_changes = [layers]\`, with which other changes leave the layers as they are. Where a schedule in the state has such turns, or has ended, each refresh and import warns. Overrides that people make are never touched by Terraform; its own are \`pager_override\`.

An API that is too old to have the routes of schedules is answered with an error that says "unknown route", and nothing is changed.`,

  team: `The API key needs the role admin or above, and must not be confined to teams.

Members are set on one side: here in \`user_ids\`, or for each person in the \`team_ids\` of their \`pager_user\`. The side that is not configured stays as it is, whatever the other one does; so does \`default\`.

Destroying a team archives it, which is refused while it owns active records or open incidents: the error lists them. One that is archived in the dashboard is planned anew.`,

  user: `The API key needs the role admin or above, and must not be confined to teams. Only a key of an owner changes owners.

Viewers, responders and managers are created and changed here. An API key cannot create, promote or activate an admin or owner, or change an e-mail address: whoever finds a leaked key would keep that account after the key is revoked. Such a plan fails at \`role\`, \`active\` or \`email\`. A signed-in admin does it in the dashboard, under People. Invite a new admin there, then import them. An existing admin is imported and kept like any other user.

A user is created without a password, and Terraform sees none: a signed-in admin invites them (*Invite again* on their page under People). Until then they cannot sign in, and *Forgot your password?* sends them nothing.

Whoever has the e-mail address already, active or not, is not taken over: the apply fails, and names the import. Destroying a user deactivates them: they are not paged, and may not sign in. Their shifts and steps stay, and the apply warns of them. Somebody who is deactivated by hand is activated by the next apply, unless \`active\` is \`false\`. The last active owner cannot be deactivated.

\`team_ids\` and the \`user_ids\` of a \`pager_team\` are two sides of one membership: set one of them. The side that is not configured stays as it is.`,

  notification_settings: `How a person is notified when their shifts start, end or are moved. An event that is not configured has its default; an empty list notifies by no channel. The API key needs the role admin or above, and must not be confined to teams.

Everybody has such settings from the start: a creation writes over what the person set, and a destroy returns all to the defaults. Two of these resources for one person undo each other's work. Settings have no version: of changes that meet, the last one holds, field by field.

Another \`user_id\` replaces them. A person who is not in the configuration is named by the data source \`pager_user\`.`,
};
