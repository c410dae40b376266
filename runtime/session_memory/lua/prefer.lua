-- Changes a session's preference and slides its TTL.
--
-- KEYS     the session's preference
-- ARGV     TTL in seconds, most tags, time, tags that replace the old ones as a JSON array or an empty text,
--          tags to add as a JSON array, then pairs of field and value
-- Returns  the whole hash

local stored = redis.call('HGET', KEYS[1], 'interest_tags')
local tags = cjson.decode(ARGV[4] ~= '' and ARGV[4] or stored or '[]')
local known = {}
for _, tag in ipairs(tags) do
  known[tag] = true
end
for _, tag in ipairs(cjson.decode(ARGV[5])) do
  if not known[tag] then
    known[tag] = true
    tags[#tags + 1] = tag
  end
end
while #tags > tonumber(ARGV[2]) do
  table.remove(tags, 1)
end
redis.call('HSET', KEYS[1], 'updated_at', ARGV[3], 'interest_tags', #tags > 0 and cjson.encode(tags) or '[]')
if ARGV[4] ~= '' or ARGV[5] ~= '[]' then
  redis.call('HSET', KEYS[1], 'interest_tags_set', '1')
end
for place = 6, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[place], ARGV[place + 1])
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return redis.call('HGETALL', KEYS[1])
