"""From a MediaWiki export to checked tables: pages, links, names, facts, pictures, a graph."""
