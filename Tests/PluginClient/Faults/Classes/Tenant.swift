import CoreData

class Tenant: NSManagedObject {}  // error: class 'Tenant' is also generated
