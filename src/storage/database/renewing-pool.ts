/** What is needed of postgres.js' pools: they are called with templates, and end. */
type Pool = ((...args: never) => unknown) & {
  end(options?: { readonly timeout: number }): Promise<void>;
};

export type RenewingPool<Sql extends Pool> = {
  readonly sql: Sql;
  readonly end: (seconds: number) => Promise<void>;
};

/**
 * A pool that begins anew when one of its connections closes. In postgres.js 3.4 a connection that
 * was lost while something was being written keeps that in its buffer and never greets the server
 * again: every query that is given to it then waits for the connect timeout.
 */
export function renewingPool<Sql extends Pool>(
  connect: (onclose: () => void) => Sql,
): RenewingPool<Sql> {
  let listener: Sql | undefined;
  let hasEnded = false;
  let current = open();

  function open(): Sql {
    const pool = connect(() => pool === current && !hasEnded && renew(pool));
    return pool;
  }

  function renew(pool: Sql): void {
    current = open();
    // What still runs on its other connections may finish, as long as it takes; nobody waits for it.
    void pool.end();
  }

  /** Subscriptions reconnect by themselves, and must not end with a retired pool. */
  function ownerOf(key: string | symbol): Sql {
    if (key !== 'listen' && key !== 'subscribe') return current;
    listener ??= connect(() => undefined);
    return listener;
  }

  const sql = new Proxy(current, {
    apply: (_target, _self, args) => Reflect.apply(current, undefined, args),
    get: (_target, key) => Reflect.get(ownerOf(key), key),
  });
  async function end(seconds: number): Promise<void> {
    hasEnded = true;
    await Promise.all([current.end({ timeout: seconds }), listener?.end({ timeout: 0 })]);
  }
  return { sql, end };
}

/** Refuses queries of a transaction that is over: postgres.js would write to a missing socket. */
export function refuseWhen<Transaction extends (...args: never) => unknown>(
  transaction: Transaction,
  refusal: () => Error | undefined,
): Transaction {
  const check = () => {
    const error = refusal();
    if (error !== undefined) throw error;
  };
  return new Proxy(transaction, {
    apply: (target, _self, args) => {
      check();
      return Reflect.apply(target, undefined, args);
    },
    get: (target, key) => {
      if (key === 'unsafe' || key === 'savepoint' || key === 'file') check();
      return Reflect.get(target, key);
    },
  });
}
