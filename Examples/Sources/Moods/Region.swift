import CoreData

/// A country or a continent.
class Region: NSManagedObject {
    @NSManaged fileprivate(set) var numericISO3166Code: Int16
    @NSManaged fileprivate(set) var numberOfMoods: Int64
    @NSManaged fileprivate(set) var updatedAt: Date
    @NSManaged fileprivate var primitiveUpdatedAt: Date

    override func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveUpdatedAt = Date()
    }

    /// Notes when the region last changed, once in each save.
    fileprivate func refreshUpdateDate() {
        guard changedValues()["updatedAt"] == nil else { return }
        updatedAt = Date()
    }

    /// Keeps the count that lists show without reading a single mood.
    fileprivate func setNumberOfMoods(_ count: Int) {
        guard numberOfMoods != Int64(count) else { return }
        numberOfMoods = Int64(count)
        refreshUpdateDate()
    }

    /// Regions in the order of their last change.
    static var sortedRequest: NSFetchRequest<Region> {
        let request = NSFetchRequest<Region>(entityName: "Region")
        request.sortDescriptors = [NSSortDescriptor(key: "updatedAt", ascending: false)]
        return request
    }
}

final class Country: Region {
    @NSManaged fileprivate(set) var continent: Continent?
    @NSManaged fileprivate(set) var moods: Set<Mood>

    var iso3166Code: ISO3166.Country? { ISO3166.Country(rawValue: numericISO3166Code) }

    static func findOrCreate(_ code: ISO3166.Country, in context: NSManagedObjectContext) throws -> Country {
        let request = NSFetchRequest<Country>(entityName: "Country")
        request.predicate = NSPredicate(format: "numericISO3166Code == %d", code.rawValue)
        if let country = try context.fetch(request).first { return country }
        let country = Country(context: context)
        country.numericISO3166Code = code.rawValue
        country.continent = try Continent.findOrCreate(code.continent, in: context)
        return country
    }

    override func willSave() {
        super.willSave()
        guard !isDeleted, changedValues()["moods"] != nil else { return }
        updateCounts()
    }

    func updateCounts() {
        setNumberOfMoods(moods.count)
        continent?.updateCounts()
    }

    /// A continent without countries goes with its last one.
    override func prepareForDeletion() {
        super.prepareForDeletion()
        guard let continent else { return }
        if continent.countries.filter({ !$0.isDeleted }).isEmpty {
            managedObjectContext?.delete(continent)
        }
    }
}

final class Continent: Region {
    @NSManaged fileprivate(set) var countries: Set<Country>
    @NSManaged fileprivate(set) var numberOfCountries: Int64

    var iso3166Code: ISO3166.Continent? { ISO3166.Continent(rawValue: numericISO3166Code) }

    static func findOrCreate(_ code: ISO3166.Continent, in context: NSManagedObjectContext) throws
        -> Continent
    {
        let request = NSFetchRequest<Continent>(entityName: "Continent")
        request.predicate = NSPredicate(format: "numericISO3166Code == %d", code.rawValue)
        if let continent = try context.fetch(request).first { return continent }
        let continent = Continent(context: context)
        continent.numericISO3166Code = code.rawValue
        return continent
    }

    override func willSave() {
        super.willSave()
        guard !isDeleted, changedValues()["countries"] != nil else { return }
        updateCounts()
    }

    func updateCounts() {
        setNumberOfMoods(countries.reduce(0) { $0 + $1.moods.count })
        guard numberOfCountries != Int64(countries.count) else { return }
        numberOfCountries = Int64(countries.count)
    }
}
