// What a resource's declaration does not say, for its page in the registry.
import { placeholdersText } from '../../resources/declaration/template.ts';

export const notes: Readonly<Record<string, string>> = {
  service: `An integration that points to an archived service drops every event. If the team may change, set \`create_before_destroy\`, so that the integrations move to the new service before the old one is archived.`,

  escalation_policy: `Every step except the last must wait at least one minute (\`escalate_after_minutes\`). Otherwise, the plan fails. A plan warns about steps that reach nobody.

Destroying a policy archives it. Integrations that still use it continue to page with its last steps, and each incident's timeline shows a warning. If there is a replacement, set it in \`archive_replacement_policy_id\` and apply that first. When you then destroy the policy, all integrations, rules and playbooks that use it move to the replacement at once. If the replacement is archived, the policy cannot be destroyed while active records use it.

\`webhook_url_wo\` keeps the address of a chat out of plans and states. Each change of \`steps\` sends all addresses again.

Plan time grows with the square of the number of targets in a policy, because each target may have a secret: in one step, 1 second at 100, 4 at 300, 37 at 1,000. From 300 targets on, a plan warns.`,

  integration: `\`webhook_url\`, \`email_address\` and \`token\` are secrets: anyone who has one of them can open incidents. The state contains them. Read them with \`terraform output -raw\`.

To rotate the token, change \`token_version\`. The plan shows the token and both addresses as known after apply, and resources that use them are updated. The previous token is accepted for 24 hours, so that you can update monitoring tools that Terraform does not configure. A second rotation in that time ends it. If a write-only attribute gets the token from the ephemeral \`pager_integration_token\`, use \`token_version\` as its version. The first number does not rotate the token, so you can add \`token_version\` to an integration that is in use or imported.

After a leak, rotate the token with the API and set \`grace_minutes\` to 0. The next refresh reads the new token.

Changing \`team_id\` replaces the integration. The new one has a new token and new addresses: set them in the monitoring tools.`,

  integration_key: `\`key\` is write-only. It needs Terraform 1.11 or later, accepts ephemeral values, and is stored neither in plans nor in the state. The API never returns it either, so Terraform detects a different key by \`last4\` and then replaces it. It cannot detect a key with the same last characters: replace that one with \`terraform apply -replace=ADDRESS\`. Any other change replaces the key too.

A key belongs to one integration across all organizations of the server. A key that is already in use is rejected. Destroying a key removes it. An archived integration keeps its keys until then.

If the response to the creation of a key is lost, the next apply fails, and the error shows the id to import.`,

  integration_mapping: `The server describes the notation at \`/docs/mapping\`. The API validates paths, words and regular expressions on apply and reports each error where it is. Try a mapping on past events first (\`POST /integrations/:id/mapping/try\`).

Every field that can have alternatives is a list, even with one element: \`title = ["summary"]\`.

An integration has at most one mapping. Creating one never overwrites a different existing mapping: import that first. Destroying the resource removes the mapping, and events are then read by the integration type. A mapping that was removed elsewhere, or whose integration was archived, is planned for creation. \`pager_integration\` never changes it. Pager keeps all earlier mappings: \`revision\` counts them, and each event records the revision that read it. Mappings have no version, so the last of several concurrent changes applies.

Changing \`integration_id\` replaces the mapping.`,

  alert_routing_rule: `Rules run on a new incident before anyone is paged: by \`position\`, lowest first, then rules without a position in order of creation. All matching rules apply. If the order matters, set positions, because a replaced rule is a new rule and keeps its place only through its position.

\`matches\` and \`doesNotMatch\` use regular expressions in RE2 syntax. In a \`template\`, ${placeholdersText((one) => `\`${one}\``)} are replaced by the incident's values. A plan fails if an expression or a template is invalid.`,

  playbook: `A playbook has no effect until something runs it: a routing rule or another playbook through an action of type \`playbook\`, a person, or an incident that gets a status in \`run_automatically\`. A playbook that would run itself, directly or through others, is rejected.

Destroying a playbook archives it. A warning lists what still runs it. Those rules and playbooks continue without it.`,

  override: `Destroying an override removes it. A current override ends now, and its past is kept.

An override that has ended is not changed: nothing is planned for it, and destroying it only removes it from the state. Changing it creates another override, which must end in the future. An override ends with its schedule.

Times can have any offset.`,

  outbound_webhook: `A routing rule, a playbook, a person or a schedule's shift notifications can call a webhook. \`url\` is a secret and is stored in the state. If you use \`url_wo\` with \`url_wo_version\` instead, plans and state do not contain the address, and Terraform does not detect changes made elsewhere. One of the two is required. Header values are stored in plain text.

Manage a webhook that uses \`PUT\` in the dashboard or with the API, and look it up with the data source.`,

  oncall_schedule: `Turns change according to the clocks in \`timezone\`. The first turn runs from creation to the first handoff and counts as a full turn.

Adding, removing or changing a layer gives it new shifts and notifies the people whom the layer now puts on call. The plan warns which layers are affected, and lists the people in them. It shows who is on call now and after the change, when nobody would be, and which shifts move to whom. Reordering layers does not change their shifts.

Terraform cannot express a turn with nobody (a gap in the rotation), a layer with a start or an end, or \`since\` and \`counts\` of a rotation. An update keeps them in layers that it does not change otherwise, and removes them from layers that it changes. The plan shows what each layer loses, and which layers start at once. To manage such layers only in the dashboard, set \`ignore_changes = [layers]\`. If a schedule in the state has such turns, or has ended, each refresh and import warns. Terraform never changes overrides that people create. It manages its own with \`pager_override\`.

If the API is too old to support schedules, the error is "unknown route", and nothing is changed.`,

  organization: `The API key needs the role admin or above and must not be limited to teams.

There is exactly one organization for an API key, so use one of these resources. Creating it creates nothing: it changes the settings that are configured and leaves the others as they are. If an attribute leaves the configuration, that setting returns to its default: \`timezone\` to \`Etc/UTC\`, and no monthly limit, no channels for shifts, or the default retention. \`name\` has no default and stays.

Destroying the resource returns the settings that it managed to these defaults, and the plan names them. An import takes over all settings that are not at their defaults. To give up the resource without a change, use a \`removed\` block or \`terraform state rm\`.

\`shift_notifications\` and \`retention\` are managed as a whole: what is missing in them has its default. \`webhook_url_wo\` keeps the address of a chat out of plans and states.`,

  team: `The API key needs the role admin or above and must not be limited to teams.

Set members on one side only: here in \`user_ids\`, for each person in the \`team_ids\` of their \`pager_user\`, or one by one with \`pager_team_membership\`. Terraform does not change the side that is not configured. The same applies to \`default\`.

Destroying a team archives it. This fails while the team owns active records or open incidents, and the error lists them. A team that was archived in the dashboard is planned for creation.`,

  api_key: `The API key of the provider needs the role admin or above. It creates only keys with its own role or less, within its own teams, that do not expire after it.

The key ends with the key that created it: if you revoke the provider's key, all keys that Terraform created with it end too. Before you exchange the provider's key, plan for that: with the new key, Terraform plans the ended keys for creation. The owners of the organization get an e-mail about each new key, at most 10 in an hour.

\`key\` is known only after the creation, and the API never returns it again. The state contains it in plain text, so give access to the state only to people who may have the key. An imported key has no \`key\`. Pass it on with a write-only attribute of another provider, or read it with \`terraform output -raw\`.

\`name\` and \`expires_at\` change in place. Any other change replaces the key, with a new secret text. With \`create_before_destroy\`, the old key is valid until the new one is in place. Destroying the resource revokes the key at once. A key that was revoked elsewhere is planned for creation.

If the response to the creation of a key stays lost after all retries, its text is lost too, and the error says so. Revoke that key, then apply again.`,

  team_membership: `The API key needs the role admin or above.

Use this resource if several configurations, or several modules of one, add people to the same team. If one configuration has the whole list, use \`user_ids\` of \`pager_team\` or \`team_ids\` of \`pager_user\` instead. A plan fails if a membership is next to one of these lists for the same team or person, or if two memberships have the same team and person. If the ids are known only after apply, the apply fails before it adds the person.

A membership has no role: what a person may do depends on \`role\` of \`pager_user\`. If the person is already a member, creating the resource changes nothing. Destroying it removes the person from the team, and nothing else: schedules, policies and records stay as they are. A membership that was removed elsewhere, or whose team was archived, is planned for creation.

To move from memberships to a list, first take the memberships out of the state with a \`removed\` block or \`terraform state rm\`. Otherwise, their removal empties the team until the next apply.`,

  user: `The API key needs the role admin or above and must not be limited to teams. Only a key with the role owner can change owners.

You can create and change viewers, responders and managers here. An API key cannot create, promote or activate an admin or owner, or change an e-mail address: anyone with a leaked key could keep such an account after the key is revoked. Such a plan fails at \`role\`, \`active\` or \`email\`. A signed-in admin can do this in the dashboard, under People. Invite a new admin there, then import them. An existing admin is imported and kept like any other user.

A user is created without a password, and Terraform never sees one. A signed-in admin invites them (*Resend invitation* on their page under People). Until then they cannot sign in, and *Forgot your password?* sends them nothing.

If a user with the e-mail address already exists, active or not, the apply fails, and the error shows the import command. Destroying a user deactivates them: they are not paged, cannot sign in, and are on call nowhere. The plan shows who is on call instead and when nobody is, and names the records that still use the person. Their policy steps remain. If someone was deactivated elsewhere, the next apply activates them unless \`active\` is \`false\`. The last active owner cannot be deactivated.

\`team_ids\` and the \`user_ids\` of a \`pager_team\` are two sides of one membership: set only one of them, or use \`pager_team_membership\`. Terraform does not change the side that is not configured.`,

  schedule_notifications: `Without \`slack\` or \`msteams\`, the organization's channels of that chat are notified. An empty list notifies none of them. The \`outbound_webhook_ids\` are called in addition to the organization's.

Every schedule has these settings from the start, and all of them are absent. Creating the resource replaces them, and destroying it removes them, so that the organization's settings apply again. Do not use two of these resources for one schedule: they overwrite each other. Settings have no version, so the last of several concurrent changes applies, field by field.

\`webhook_url_wo\` keeps the address of a chat out of plans and states. Each change of a list sends all of its addresses again.

Changing \`oncall_schedule_id\` replaces the resource. If the schedule was archived elsewhere, the resource is planned for creation.`,

  notification_settings: `How a person is notified when their shifts start, end or are moved. An event that is not configured has its default. An empty list sends no notification. The API key needs the role admin or above and must not be limited to teams.

Everyone has these settings from the start. Creating the resource overwrites the person's settings, and destroying it returns all settings to the defaults. Do not use two of these resources for one person: they overwrite each other. Settings have no version, so the last of several concurrent changes applies, field by field.

Changing \`user_id\` replaces the resource. Use the data source \`pager_user\` for a person who is not in the configuration.`,
};
