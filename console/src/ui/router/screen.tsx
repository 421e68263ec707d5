import { type ComponentType, type ReactNode, use, useState } from "react";
import { loadedParts } from "../mantine/load-mantine.ts";

/** What a route shows. */
export interface Screen {
  /** Fetches its code, once; a fetch that failed is repeated. */
  load: () => Promise<ComponentType>;
  /** Undefined until its code is there. */
  loaded: () => ComponentType | undefined;
}

/** A screen whose code is part of what is loaded first. */
export const eagerScreen = (component: ComponentType): Screen => ({
  load: () => Promise.resolve(component),
  loaded: () => component,
});

/** A screen whose code is fetched before it is shown. */
export const lazyScreen = <K extends string, M extends Record<K, ComponentType>>(
  load: () => Promise<M>,
  name: K,
): Screen => {
  let component: ComponentType | undefined;
  let loading: Promise<ComponentType> | undefined;
  const fetchIt = async (): Promise<ComponentType> => {
    try {
      const part = await load();
      component = part[name];
      return part[name];
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return {
    load: () => {
      loading ??= fetchIt();
      return loading;
    },
    loaded: () => component,
  };
};

/** Renders a screen, with what components of Mantine in it need when it was loaded with it. */
export const ScreenView = ({ screen }: { screen: Screen }): ReactNode => {
  const [Parts] = useState(() => loadedParts());
  const OpenScreen = screen.loaded() ?? use(screen.load());
  return (
    <Parts>
      <OpenScreen />
    </Parts>
  );
};
