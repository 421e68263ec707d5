import { site } from "@telltale/contract/domains/support";
import { useCall } from "./use-call.ts";

/** Whether anything can be bought on this server; undefined until that is known. It changes with a restart only. */
export const useHasPayments = (): boolean | undefined =>
  useCall(site.info, {}, { staleTime: Number.POSITIVE_INFINITY }).data?.hasPayments;
