import CoreData

/// The colours of a moment, and where it was.
final class Mood: NSManagedObject {
    @NSManaged fileprivate(set) var date: Date
    @NSManaged fileprivate(set) var colors: [Color]
    @NSManaged fileprivate(set) var country: Country
    @NSManaged private(set) var diaries: Set<Diary>
    @NSManaged var tags: [String]?
    @NSManaged fileprivate var latitude: NSNumber?
    @NSManaged fileprivate var longitude: NSNumber?

    @discardableResult
    static func insert(
        into context: NSManagedObjectContext, colors: [Color], country: ISO3166.Country,
        location: Location? = nil, tags: [String]? = nil
    ) throws -> Mood {
        let mood = Mood(context: context)
        mood.colors = colors
        mood.date = Date()
        mood.country = try Country.findOrCreate(country, in: context)
        mood.location = location
        mood.tags = tags
        return mood
    }

    /// A country without moods goes with its last one.
    override func prepareForDeletion() {
        super.prepareForDeletion()
        if country.moods.filter({ !$0.isDeleted }).isEmpty {
            managedObjectContext?.delete(country)
        }
    }
}

/// A place on Earth, in degrees.
struct Location: Equatable {
    var latitude: Double
    var longitude: Double
}

extension Mood {
    var location: Location? {
        get {
            guard let latitude, let longitude else { return nil }
            return Location(latitude: latitude.doubleValue, longitude: longitude.doubleValue)
        }
        set {
            latitude = newValue.map { NSNumber(value: $0.latitude) }
            longitude = newValue.map { NSNumber(value: $0.longitude) }
        }
    }
}
