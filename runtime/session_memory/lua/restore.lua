-- Writes a short memory that was read from RAW, unless there is one by now or the session was cleared meanwhile.
--
-- KEYS     the list, the session's NPCs, the session's preference
-- ARGV     TTL in seconds, the NPC's field, the session's field, the two values that they had when RAW was read, entries
-- Returns  1 when it was written, else 0

local cleared = redis.call('HMGET', KEYS[2], ARGV[2], ARGV[3])
if (cleared[1] or '0') ~= ARGV[4] or (cleared[2] or '0') ~= ARGV[5] or redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
for place = 6, #ARGV do
  redis.call('RPUSH', KEYS[1], ARGV[place])
end
redis.call('HSETNX', KEYS[2], ARGV[2], '0')
for place = 1, 3 do
  redis.call('EXPIRE', KEYS[place], ARGV[1])
end
return 1
