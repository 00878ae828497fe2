// What the tab of an integration's mapping asks for.
import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '../../../client/answer.ts';
import { PagerError, pager, readBody } from '../../api/pager.ts';
import { pollMs } from '../../live/live.ts';
import type { Event } from '../integration.ts';
import type { Form, Mapping } from './mapping.ts';
import type { Trial } from './trial.ts';

/** No hint says that an event came which opened nothing. */
const AWAITED_MS = 2_000;
const TRIED = 20;

export const mappingPath = (id: string) => `/integrations/${id}/mapping`;

export const mappingQuery = (id: string) =>
  queryOptions({
    queryKey: ['integrations', id, 'mapping'],
    queryFn: () => readBody<Mapping>(mappingPath(id)),
    refetchInterval: pollMs,
  });

const trialOf = (forms: readonly Form[]) => ({ forms, last: TRIED });

/** The last events as they are read with these forms. */
export const readingsQuery = (id: string, { forms }: Mapping) =>
  queryOptions({
    queryKey: ['integrations', id, 'readings', forms],
    queryFn: () => post<Trial>(`${mappingPath(id)}/try`, trialOf(forms)),
    refetchInterval: ({ state: { data } }) => (data?.data.length === 0 ? AWAITED_MS : pollMs()),
  });

/** The last events as they were sent, the newest of them being this one. */
export const sentQuery = (id: string, newest: string | undefined) =>
  queryOptions({
    queryKey: ['integrations', id, 'sent', newest],
    enabled: newest !== undefined,
    queryFn: async () => {
      const path = `/integrations/${id}/events`;
      return (await readBody<{ data: readonly Event[] }>(path, { limit: String(TRIED) })).data;
    },
  });

type Body = Readonly<Record<string, unknown>>;

async function post<Answer>(path: string, body: Body): Promise<Answer> {
  const answer = await pager.client.send({ method: 'POST', path, body, isRead: true });
  if (!answer.ok) throw new PagerError(answer.failure);
  // What this version of the API answers, as docs/openapi.json has it.
  return answer.body as Answer;
}

const idle = { isPending: false, failure: null as Failure | null };

/** A question that somebody asks by a button. Null: it failed, as `failure` says. */
export function useRequest<Answer>(path: string) {
  const [state, setState] = useState(idle);
  return {
    ...state,
    async send(body: Body): Promise<Answer | null> {
      setState({ ...idle, isPending: true });
      try {
        const answer = await post<Answer>(path, body);
        setState(idle);
        return answer;
      } catch (error) {
        if (!(error instanceof PagerError)) throw error;
        setState({ ...idle, failure: error.failure });
        return null;
      }
    },
    forget: () => setState(idle),
  };
}

export function useTry(id: string) {
  const { send, ...rest } = useRequest<Trial>(`${mappingPath(id)}/try`);
  return {
    ...rest,
    /** `body`: as the tool would send it, in place of the last events. */
    send: (forms: readonly Form[], body?: string) =>
      send(body === undefined ? trialOf(forms) : { forms, body }),
  };
}
