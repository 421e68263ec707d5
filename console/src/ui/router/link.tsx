import {
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useSyncExternalStore,
} from "react";
import { useNavigate, useRouter } from "./hooks.ts";
import type { Navigation } from "./router.ts";

export interface LinkProps extends Omit<Navigation, "href">, Omit<ComponentProps<"a">, "href"> {
  /** Loads the document of the address from the server. */
  reloadDocument?: boolean | undefined;
  /** The page is done with, as by Cancel: see `Router.leave`. */
  leaves?: boolean | undefined;
}

/** Whether a click opens the page here: not with a key that opens it in a tab or window of its own. */
const opensHere = ({ button, metaKey, altKey, ctrlKey, shiftKey, currentTarget }: MouseEvent<HTMLAnchorElement>) =>
  button === 0 && !(metaKey || altKey || ctrlKey || shiftKey) && ["", "_self"].includes(currentTarget.target);

/** A link to a page of the console. The page's code is prefetched on hover, focus and touch. */
export const Link = (props: LinkProps): ReactNode => {
  const { to, search, hash, state, replace, resetScroll, reloadDocument = false, leaves = false, ...anchor } = props;
  const router = useRouter();
  const href = useSyncExternalStore(router.subscribe, () => router.hrefOf({ to, search, hash }));
  const preload = () => {
    if (!reloadDocument) router.preload(href);
  };
  const before =
    <E extends SyntheticEvent>(own: ((event: E) => void) | undefined, run: (event: E) => void) =>
    (event: E) => {
      own?.(event);
      if (!event.defaultPrevented) run(event);
    };
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    if (reloadDocument || !opensHere(event)) return;
    event.preventDefault();
    if (leaves) router.leave({ to, search, hash, state });
    else void router.navigate({ to, search, hash, state, replace, resetScroll });
  };
  return (
    <a
      {...anchor}
      href={href}
      onClick={before(anchor.onClick, open)}
      onFocus={before(anchor.onFocus, preload)}
      onMouseEnter={before(anchor.onMouseEnter, preload)}
      onTouchStart={before(anchor.onTouchStart, preload)}
    >
      {anchor.children}
    </a>
  );
};

/** Opens another page as soon as it is rendered. */
export const Navigate = ({ to }: { to: string }): null => {
  const navigate = useNavigate();
  useEffect(() => void navigate({ to, replace: true }), [navigate, to]);
  return null;
};
