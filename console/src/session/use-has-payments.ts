import { site } from "@telltale/contract/domains/people/site";
import { useCall } from "./use-call.ts";

/** Whether purchases are possible on this server; undefined while unknown. Changes only with a server restart. */
export const useHasPayments = (): boolean | undefined =>
  useCall(site.info, {}, { staleTime: Number.POSITIVE_INFINITY }).data?.hasPayments;
