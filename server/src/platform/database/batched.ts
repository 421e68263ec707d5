interface Waiting<Q, A> {
  question: Q;
  resolve: (answer: A) => void;
  reject: (fault: unknown) => void;
}

/** Questions that may wait; one beyond is refused, so that memory stays bounded while the database is away. */
const mostWaiting = 50_000;

/**
 * Questions to the database that come while one is being answered wait and are asked together. A device that asks thousands of times at
 * once so holds one connection and not all of them. `ask` gives the answers in the order of the questions.
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
      // What arrives in the same turn of the event loop is asked at once.
      if (!isAsking) {
        isAsking = true;
        setImmediate(() => void askAll());
      }
    });
};
