-- Channels that somebody keeps an eye on, in an order of their own.
CREATE TABLE watched_channels (
  account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
  channel_id int NOT NULL REFERENCES channels ON DELETE CASCADE,
  position   int NOT NULL,
  PRIMARY KEY (account_id, channel_id)
);
CREATE INDEX watched_channels_channel ON watched_channels (channel_id);

-- Keyboard shortcuts of a user's own. Without a row of settings they are on.
CREATE TABLE keyboard_shortcuts (
  shortcut_id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id     int NOT NULL REFERENCES users ON DELETE CASCADE,
  keys        text NOT NULL,
  target      text NOT NULL,
  UNIQUE (user_id, keys)
);
CREATE TABLE keyboard_settings (
  user_id int PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  is_on   boolean NOT NULL
);
