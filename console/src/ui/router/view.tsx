import {
  Component,
  type ComponentType,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useLayoutEffect,
  useSyncExternalStore,
} from "react";
import { RouterContext, useRouter, useShown } from "./hooks.ts";
import type { FailureProps, Router } from "./router.ts";
import { ScreenView } from "./screen.tsx";
import { restoreScroll } from "./scroll.ts";

interface CatchProps {
  failure: ComponentType<FailureProps>;
  /** Another value shows the children again. */
  place: string;
  children: ReactNode;
}

interface CatchState {
  place: string;
  error?: unknown;
  hasError: boolean;
}

/** Shows `failure` in place of children that threw, until the next page. */
class Catch extends Component<CatchProps, CatchState> {
  override state: CatchState = { place: this.props.place, hasError: false };

  static getDerivedStateFromError(error: unknown): Partial<CatchState> {
    return { error, hasError: true };
  }

  static getDerivedStateFromProps({ place }: CatchProps, state: CatchState): CatchState | null {
    return place === state.place ? null : { place, hasError: false };
  }

  readonly reset = () => this.setState({ hasError: false });

  override render(): ReactNode {
    const { failure: Failure, children } = this.props;
    return this.state.hasError ? <Failure error={this.state.error} reset={this.reset} /> : children;
  }
}

/** The open page's screen, within its frame. */
export const Outlet = (): ReactNode => {
  const { failure } = useRouter();
  const { route, location, screenFailure } = useShown();
  const Failure = route.frame ? failure : (route.failure ?? failure);
  if (screenFailure !== undefined) return <Failure error={screenFailure} reset={() => undefined} />;
  return (
    <Catch failure={Failure} place={location.key}>
      <Suspense>
        <ScreenView key={route.path} screen={route.screen} />
      </Suspense>
    </Catch>
  );
};

const OpenPage = (): ReactNode => {
  const router = useRouter();
  const { route, location, isPending, failure } = useShown();
  const { frame, pending: Pending, failure: Failure = router.failure } = route;
  if (isPending) return Pending && <Pending />;
  if (failure !== undefined) return <Failure error={failure} reset={() => undefined} />;
  return (
    <Catch failure={Failure} place={location.key}>
      <Suspense>{frame ? <ScreenView screen={frame} /> : <Outlet />}</Suspense>
    </Catch>
  );
};

/** Shows the open page. */
export const RouterView = ({ router }: { router: Router }): ReactNode => {
  const shown = useSyncExternalStore(router.subscribe, router.shown);
  // The first page is rendered in slices: as one, frame and page would keep a slow phone from answering the finger.
  const hasBegun = useDeferredValue(shown !== undefined);
  useLayoutEffect(() => {
    if (hasBegun && shown && !shown.isPending && !shown.keepsScroll) restoreScroll(shown.location);
  }, [hasBegun, shown]);
  if (!shown || !hasBegun) return null;
  return (
    <RouterContext value={router}>
      <OpenPage />
    </RouterContext>
  );
};
