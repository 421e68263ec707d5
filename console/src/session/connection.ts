import { UnreachableError } from "@telltale/contract/client";
import { Message } from "@telltale/contract/codes";
import { withdraw } from "../ui/notify.tsx";

/** When each call last failed to reach a server, by path. Moments of the performance clock. */
const unanswered = {
  [Message.networkBusy]: new Map<string, number>(),
  [Message.serverBusy]: new Map<string, number>(),
};

/** Notes that a call was not answered. */
export const noteFailure = (path: string, error: unknown): void => {
  if (!(error instanceof UnreachableError)) return;
  unanswered[error.message as keyof typeof unanswered]?.set(path, performance.now());
};

/**
 * Notes that a call was answered, and takes away what was said of the connection: any answer to a call that began after a failure of the network shows that
 * the network is back; that a server is busy with one call is over when that call is answered.
 */
export const noteAnswer = (path: string, began: number): void => {
  for (const [sentence, calls] of Object.entries(unanswered)) {
    if (calls.size === 0) continue;
    for (const [lost, at] of calls) {
      const isAnswered = sentence === Message.networkBusy ? at <= began : lost === path;
      if (isAnswered) calls.delete(lost);
    }
    if (calls.size === 0) withdraw(sentence);
  }
};
