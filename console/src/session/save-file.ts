import type { FileCall, Input } from "@telltale/contract/call/call";
import { addressOf, CallError, createClient } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { expireSession } from "./client.ts";
import { readToken } from "./token.ts";

/** Sends the request and aborts it when the headers of the file arrive; an error is answered as an envelope instead. */
const asking =
  ({ file }: FileCall, cancelled: AbortSignal): typeof fetch =>
  async (address, init) => {
    const hangUp = new AbortController();
    const ends = [hangUp.signal, cancelled, ...(init?.signal ? [init.signal] : [])];
    const answer = await fetch(address, { ...init, signal: AbortSignal.any(ends) });
    if (!answer.headers.get("content-type")?.startsWith(file)) return answer;
    const { status, headers } = answer;
    hangUp.abort();
    return new Response(null, { status, headers });
  };

const open = (address: string): void => {
  const link = document.createElement("a");
  link.href = address;
  // Marks it as a download: some browsers close the live connection when a navigation starts.
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
};

/**
 * Lets the browser download the file of a call by its address. Throws the server's error first, because the browser would show the
 * raw envelope instead of the console. Nothing is downloaded once `cancelled` is aborted.
 */
export const saveFile = async <C extends FileCall>(
  call: C,
  input: Partial<Input<C>>,
  cancelled: AbortSignal = new AbortController().signal,
): Promise<void> => {
  const token = readToken();
  const ask = createClient({ baseUrl: "", token: () => token, fetch: asking(call, cancelled) });
  try {
    await ask(call, input);
  } catch (error) {
    if (error instanceof CallError && error.code === Code.notSignedIn) expireSession(token);
    throw error;
  }
  cancelled.throwIfAborted();
  open(addressOf("", call, input, token));
};
