interface Waiting<Q, A> {
  question: Q;
  resolve: (answer: A) => void;
  reject: (fault: unknown) => void;
}

/** Most queued queries; further ones are rejected, so that memory stays bounded while the database is away. */
const mostWaiting = 50_000;

/**
 * Batches queries: those that arrive while one is running are sent together with the next (DataLoader). A device that asks thousands of times at once
 * thus holds one connection and not all of them. `ask` must return the answers in the order of the questions.
 */
export const batched = <Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
): ((question: Q) => Promise<A>) => {
  let waiting: Waiting<Q, A>[] = [];
  let isAsking = false;
  const askAll = async (): Promise<void> => {
    isAsking = true;
    while (waiting.length > 0) {
      const round = waiting;
      waiting = [];
      try {
        const answers = await ask(round.map(({ question }) => question));
        if (answers.length !== round.length) throw new Error("The database gave another number of answers");
        for (const [at, answer] of answers.entries()) round[at]?.resolve(answer);
      } catch (fault) {
        for (const { reject } of round) reject(fault);
      }
    }
    isAsking = false;
  };
  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= mostWaiting) return reject(new Error("Too many questions wait for the database"));
      waiting.push({ question, resolve, reject });
      // Questions of the same turn of the event loop are sent together.
      if (!isAsking) {
        isAsking = true;
        setImmediate(() => void askAll());
      }
    });
};

/** Like `batched`, but a question waits only for those of its own kind. Kinds are kept, so there must be few. */
export const batchedBy = <Q, A>(
  kindOf: (question: Q) => string | number,
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
): ((question: Q) => Promise<A>) => {
  const kinds = new Map<string | number, (question: Q) => Promise<A>>();
  return (question) => {
    const kind = kindOf(question);
    const asked = kinds.get(kind) ?? batched(ask);
    kinds.set(kind, asked);
    return asked(question);
  };
};
