import type { Peers } from "../platform/node/peers.ts";

const asSent = (content: unknown): unknown => (content === undefined ? undefined : JSON.parse(JSON.stringify(content)));

/** Nodes of a test's cluster that reach each other without a network. Each call returns the peers of another node. */
export const createTestPeers = (): (() => Peers) => {
  const listeners = new Set<{ of: object; subject: string; listener: (content: unknown) => void }>();
  const answerers = new Set<{ of: object; subject: string; answerer: (content: unknown) => Promise<unknown> }>();
  return () => {
    const of = {};
    const publish = (subject: string, content: unknown): void => {
      for (const each of listeners)
        if (each.of !== of && each.subject === subject) setImmediate(each.listener, asSent(content));
    };
    return {
      publish,
      publishList: publish,
      listen: (subject, listener) => {
        const entry = { of, subject, listener };
        listeners.add(entry);
        return () => listeners.delete(entry);
      },
      ask: async (subject, content) => {
        const others = [...answerers].filter((each) => each.of !== of && each.subject === subject);
        const answers = await Promise.all(others.map(({ answerer }) => answerer(asSent(content))));
        return asSent(answers.find((answer) => answer !== undefined));
      },
      askAll: async function* (subject, content, { most }) {
        const others = [...answerers].filter((each) => each.of !== of && each.subject === subject).slice(0, most);
        for (const { answerer } of others) {
          const answer = await answerer(asSent(content));
          if (answer !== undefined) yield asSent(answer);
        }
      },
      answer: (subject, answerer) => {
        const entry = { of, subject, answerer };
        answerers.add(entry);
        return () => answerers.delete(entry);
      },
    };
  };
};
