import type { Tool } from '../reading/notation.ts';

const kind = 'object_kind | @header.x-gitlab-event';
const project = 'project.path_with_namespace | project_name';

/** Of a branch that may be another project's, and of the children of a pipeline. */
const ofOther =
  'object_attributes.source > take /^(?:merge_request_event|external_pull_request_event|parent_pipeline)$/';
const pipelineKeys = [
  [project, 'object_attributes.ref'],
  [project],
  ['object_attributes.url > take /^(.+?)(?:\\/-)?\\/pipelines/', 'object_attributes.ref'],
] as const;

export const gitlab = {
  slug: 'gitlab',
  name: 'GitLab',
  description: 'Sends failed pipelines, jobs and deployments, and incidents, with a webhook.',
  problem:
    'each pipeline source, job or environment on each branch of the project itself, and each incident',
  logo: 'gitlab',
  knownAs: ['GitLab', 'gitlab'],
  headers: ['x-gitlab-event'],
  forms: [
    {
      when: [`${kind}~^[Pp]ipeline`],
      title: [
        `{${project}} pipeline {object_attributes.status} on {object_attributes.ref}`,
        '{project.name} pipeline {object_attributes.status}',
        'Pipeline {object_attributes.status}',
      ],
      key: [
        [project, 'object_attributes.ref', ofOther, 'merge_request.source_project_id'],
        [project, 'object_attributes.ref', ofOther],
        ...pipelineKeys,
      ],
      was: pipelineKeys,
      state: [
        { at: 'object_attributes.status', trigger: 'failed', resolve: 'success', else: 'nothing' },
      ],
      links: { Pipeline: 'object_attributes.url', Commit: 'commit.url' },
    },
    {
      when: [`${kind}~^(?:build|Job Hook)$`],
      title: [`{${project}} job {build_name} {build_status} on {ref}`, 'build_name'],
      key: [
        [project, 'ref', 'build_name'],
        [project, 'build_name'],
      ],
      state: [
        { at: 'build_allow_failure', nothing: 'true' },
        { at: 'build_status', trigger: 'failed', resolve: 'success', else: 'nothing' },
      ],
      links: { Commit: 'commit.url' },
    },
    {
      when: [`${kind}~^[Dd]eployment`],
      title: [`{${project}} deployment to {environment} {status}`, 'Deployment {status}'],
      key: [[project, 'environment'], [project]],
      state: [{ at: 'status', trigger: 'failed', resolve: 'success', else: 'nothing' }],
      links: { Deployment: 'deployable_url' },
    },
    {
      when: ['object_kind', 'object_attributes.type=Incident'],
      title: 'object_attributes.title',
      key: [[project, 'object_attributes.iid'], ['object_attributes.id']],
      state: [
        {
          at: 'object_attributes.action',
          trigger: 'open reopen',
          resolve: 'close',
          else: 'nothing',
        },
      ],
      severity: 'object_attributes.severity',
      links: { Incident: 'object_attributes.url' },
    },
    {
      // Pushes, comments, issues.
      when: [kind],
      state: [{ at: kind, else: 'nothing' }],
    },
  ],
  guide: {
    steps: [
      'In the project or group, go to Settings > Webhooks > Add new webhook. Enter the URL {url}.',
      'Select the trigger Pipeline events. Deployment events are optional. For GitLab incidents, select Issues events (Work item events in newer versions). Job events report each failed job.',
    ],
    notes: [
      'A failed pipeline triggers, and the next successful pipeline on the same branch resolves.',
    ],
  },
} as const satisfies Tool;
