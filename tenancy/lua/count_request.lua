-- Counts a request of a key in a sliding window and says whether it may pass.
--
-- KEYS[1]  hash of the key's two windows: window (its number), current, previous (requests let through)
-- KEYS[2]  sorted set: key id by the time of its last use, in seconds
-- ARGV     limit, window length in ms, key id
-- Returns  {allowed 0|1, remaining, ms until the whole limit is free, ms to wait before the next try}
--
-- The load is the current window's count plus that share of the previous window's count which a window ending now
-- still covers. Time is Redis' own, so all processes agree on it.

local limit, length = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = math.floor(now / length)
local elapsed = now - window * length

local stored = redis.call('HMGET', KEYS[1], 'window', 'current', 'previous')
local current, previous = 0, 0
if stored[1] then
  local age = window - tonumber(stored[1])
  if age == 0 then
    current, previous = tonumber(stored[2]), tonumber(stored[3])
  elseif age == 1 then
    previous = tonumber(stored[2])
  end
end

local share = previous * (length - elapsed) / length
local allowed = (current + share + 1 <= limit) and 1 or 0
if allowed == 1 then
  current = current + 1
  redis.call('HSET', KEYS[1], 'window', window, 'current', current, 'previous', previous)
  redis.call('PEXPIRE', KEYS[1], 2 * length)
end
redis.call('ZADD', KEYS[2], now / 1000, ARGV[3])

local reset = 0
if current > 0 then
  reset = 2 * length - elapsed
elseif previous > 0 then
  reset = length - elapsed
end

local wait = 0
if allowed == 0 then
  if limit < 1 then
    wait = length
  elseif current + 1 <= limit then
    wait = length * (1 - (limit - 1 - current) / previous) - elapsed
  else
    wait = length - elapsed + length * (1 - (limit - 1) / current)
  end
  wait = math.max(1, math.ceil(wait))
end

return {allowed, math.max(0, math.floor(limit - current - share)), reset, wait}
