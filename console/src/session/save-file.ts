import type { FileCall, Input } from "@telltale/contract/call/call";
import { addressOf, CallError, createClient } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { expireSession } from "./client.ts";
import { readToken } from "./token.ts";

/** Sends the request and aborts it when the headers of the file arrive; an error is answered as an envelope instead. */
const asking =
  ({ file }: FileCall): typeof fetch =>
  async (address, init) => {
    const hangUp = new AbortController();
    const answer = await fetch(address, { ...init, signal: hangUp.signal });
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
 * raw envelope instead of the console.
 */
export const saveFile = async <C extends FileCall>(call: C, input: Partial<Input<C>>): Promise<void> => {
  const token = readToken();
  const ask = createClient({ baseUrl: "", token: () => token, fetch: asking(call) });
  try {
    await ask(call, input);
  } catch (error) {
    if (error instanceof CallError && error.code === Code.notSignedIn) expireSession(token);
    throw error;
  }
  open(addressOf("", call, input, token));
};
