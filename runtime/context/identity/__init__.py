"""Who a turn is about and where it happens: player, party, NPCs, session, and what is read together with them."""
