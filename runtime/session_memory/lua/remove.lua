-- Takes messages out of a short memory.
--
-- KEYS     the list
-- ARGV     message ids
-- Returns  how many entries were taken out

local wanted = {}
for _, id in ipairs(ARGV) do
  wanted[id] = true
end
local removed = 0
for _, entry in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if wanted[string.match(entry, '^{"chars":%d+,"message_id":(%d+)')] then
    removed = removed + redis.call('LREM', KEYS[1], 1, entry)
  end
end
return removed
