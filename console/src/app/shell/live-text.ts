import type { LiveState } from "../../session/live.ts";

/** What the bar says about the live connection; `isLost` is shown in amber. The first attempt is not a loss. */
export const liveText = (
  { state, lastMessageAt, retryAt }: LiveState,
  now: number,
): { text: string; isLost: boolean } => {
  if (state === "live") return { text: "Live", isLost: false };
  if (lastMessageAt === null && retryAt === null) return { text: "Connecting", isLost: false };
  const seconds = retryAt === null ? 0 : Math.ceil((retryAt - now) / 1000);
  return { text: seconds > 0 ? `Reconnecting in ${seconds} s` : "Reconnecting", isLost: true };
};
