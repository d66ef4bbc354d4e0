import CoreData

/// How many kinds of subdivision each country has, counted in objects that are read from the store.
struct KindsByCountry {
    let context: NSManagedObjectContext
    /// Whether the subdivisions of each country are read when they are used, by a statement each, as programs do that
    /// forget to prefetch: what a profile finds. Otherwise one statement reads all.
    var readsOneByOne = false

    func table() throws -> Table {
        let request = NSFetchRequest<Country>(entityName: "Country")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        if !readsOneByOne {
            request.relationshipKeyPathsForPrefetching = ["subdivisions", "subdivisions.kind"]
        }
        let rows = try context.fetch(request).map { country in
            (country.name ?? "", Set(kinds(of: country)).count)
        }
        let most = rows.sorted { $0.1 > $1.1 }.prefix(8)
        return Table(columns: ["Country", "Kinds"], rows: most.map { [$0.0, "\($0.1)"] })
    }

    private func kinds(of country: Country) -> [String] {
        let parts = country.subdivisions as? Set<Subdivision> ?? []
        return parts.compactMap { $0.kind?.name }
    }
}
