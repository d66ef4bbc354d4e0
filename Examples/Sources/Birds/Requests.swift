import SwiftData

extension Outing {
    /// Returns the condition that a text is in the title, the observer's name or that of a species.
    public static func matching(_ text: String) -> Predicate<Outing>? {
        if text.isEmpty { return nil }
        return #Predicate { outing in
            outing.title.localizedStandardContains(text)
                || outing.observer?.name.localizedStandardContains(text) == true
                || outing.sightings.contains { $0.species?.name.localizedStandardContains(text) == true }
        }
    }

    /// Returns the condition that an outing was under way within an interval.
    public static func within(_ interval: DateInterval) -> Predicate<Outing> {
        let (start, end) = (interval.start, interval.end)
        return #Predicate { $0.start < end && ($0.end ?? $0.start) >= start }
    }
}

extension Sighting {
    /// Returns the condition that a bird of some families was seen below a temperature.
    public static func of(_ families: Set<Family>, below celsius: Double) -> Predicate<Sighting> {
        #Predicate { sighting in
            if let species = sighting.species {
                families.contains(species.family) && (sighting.outing?.weather?.celsius ?? 99) < celsius
            } else {
                false
            }
        }
    }
}
