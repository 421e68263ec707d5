import { createContext, use, useEffect, useEffectEvent, useSyncExternalStore } from "react";
import type { Location, Search } from "./address.ts";
import type { Router, Shown } from "./router.ts";

/** Set by `RouterView`. */
export const RouterContext = createContext<Router | undefined>(undefined);

export const useRouter = (): Router => {
  const router = use(RouterContext);
  if (!router) throw new Error("There is no router here");
  return router;
};

/** A part of what the router shows; must be the same value until it changes. */
const useRouterValue = <T>(select: (shown: Shown, router: Router) => T): T => {
  const router = useRouter();
  return useSyncExternalStore(router.subscribe, () => {
    const shown = router.shown();
    if (!shown) throw new Error("No page is shown yet");
    return select(shown, router);
  });
};

/** What the router shows. */
export const useShown = (): Shown => useRouterValue((shown) => shown);

/** A part of the open page's location: `useLocation(({ state }) => state.from)`. */
export const useLocation = <T>(select: (location: Location) => T): T =>
  useRouterValue(({ location }) => select(location));

/** All parameters of the open page's address. */
export const useWholeSearch = (): Search => useLocation(({ search }) => search);

/** Whether another page is being loaded. */
export const useIsLoading = (): boolean => useRouterValue((_, router) => router.isLoading());

/** While something is open over the page, the browser's Back calls `close` instead of leaving the page. */
export const useCloseOnBack = (isOpen: boolean, close: () => void): void => {
  const { cover } = useRouter();
  const onBack = useEffectEvent(close);
  useEffect(() => (isOpen ? cover(() => onBack()) : undefined), [cover, isOpen]);
};

/** `navigate({ to: "/devices", search: { deviceId } })` opens a page. */
export const useNavigate = (): Router["navigate"] => useRouter().navigate;

/** `leave({ to: "/joint" })` leaves a page that is done with, such as a form that is saved. */
export const useLeave = (): Router["leave"] => useRouter().leave;
