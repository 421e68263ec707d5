import { mostCompared } from "@telltale/contract/domains/readings/trends";
import { useMemo } from "react";
import { id, useSearchOf } from "../../../ui/page/search.ts";
import type { Search } from "../../../ui/router/address.ts";
import { useNavigate } from "../../../ui/router/hooks.ts";

/** Reads the channels of an address: at most four, each once. */
export const channelsIn = (value: Search[string] | undefined): number[] => {
  const ids = [value ?? []].flat().flatMap((text) => id(text) ?? []);
  return [...new Set(ids)].slice(0, mostCompared);
};

const compareSearch = { channel: channelsIn };

/** The compared channels, which the address keeps: a link is a view. */
export const useComparedIds = () => {
  const { channel } = useSearchOf(compareSearch);
  const navigate = useNavigate();
  const key = channel.join(" ");
  const ids = useMemo(() => key.split(" ").filter(Boolean).map(Number), [key]);
  const set = (next: readonly number[]) =>
    void navigate({ to: ".", search: (old: Search) => ({ ...old, channel: next.map(String) }), resetScroll: false });
  return {
    ids,
    add: (channelId: number) => set([...ids, channelId]),
    remove: (channelId: number) => set(ids.filter((each) => each !== channelId)),
  };
};
