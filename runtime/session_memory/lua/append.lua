-- Appends messages to a short memory that is there, drops the oldest beyond its bounds, and slides its TTLs.
--
-- KEYS     the list, the session's NPCs, the session's preference
-- ARGV     TTL in seconds, most messages, most characters, the id of the message before the entries or 0, then entries:
--          JSON that begins with chars and message_id
-- Returns  1; 0 when there is no list: it is then rebuilt from RAW as a whole, or it would begin in mid-talk. So is one
--          that ends before the message before the entries: whoever should have appended that could not, and is gone

redis.call('EXPIRE', KEYS[2], ARGV[1])
redis.call('EXPIRE', KEYS[3], ARGV[1])
local held = redis.call('LRANGE', KEYS[1], 0, -1)
if #held == 0 then
  return 0
end

local PATTERN = '^{"chars":(%d+),"message_id":(%d+)'
local lengths, known, newest = {}, {}, 0
for place, entry in ipairs(held) do
  local chars, id = string.match(entry, PATTERN)
  lengths[place] = tonumber(chars)
  known[id] = true
  newest = math.max(newest, tonumber(id))
end
if newest < tonumber(ARGV[4]) then
  redis.call('DEL', KEYS[1])
  return 0
end
for place = 5, #ARGV do
  local chars, id = string.match(ARGV[place], PATTERN)
  if not known[id] then
    known[id] = true
    redis.call('RPUSH', KEYS[1], ARGV[place])
    lengths[#lengths + 1] = tonumber(chars)
  end
end

local kept, sum = 0, 0
for place = #lengths, 1, -1 do
  sum = sum + lengths[place]
  if kept == tonumber(ARGV[2]) or sum > tonumber(ARGV[3]) then
    break
  end
  kept = kept + 1
end
kept = math.max(kept, 1)
if kept < #lengths then
  redis.call('LTRIM', KEYS[1], -kept, -1)
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
