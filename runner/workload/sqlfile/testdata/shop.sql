-- A shop: nine of ten rounds look, one buys.
-- @setup
CREATE TABLE IF NOT EXISTS article (id INT PRIMARY KEY, name VARCHAR(40), stock INT); -- not; a statement
REPLACE INTO article VALUES (1, 'one; or two', 5), (2, "a -- b", 7);

-- :id    = uniform 1 2
-- :hot   = zipfian 1 100 0.9
-- :order = sequence 10
-- :who   = file words.txt
-- :city  = list Oslo, 'Rio, old', It's
-- :size  = list 1, 2, 3
-- :note  = letters 5 8

-- @transaction look 9
SELECT name, '12:30' AS t /* :id is none here */ FROM article WHERE id = :id OR stock = :hot;
-- @transaction buy 1
BEGIN;
-- @type take
UPDATE article SET stock = stock - 1, name = :who WHERE id = :id;
SELECT @seen:=:id, '?', :who, :city, :size, :note, :order; # a question mark stands for itself
COMMIT
